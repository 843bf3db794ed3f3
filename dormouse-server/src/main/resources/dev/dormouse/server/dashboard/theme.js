// Must run before the page is drawn, so it is not a module. Otherwise a dark page would flash white.
(() => {
  const chosen = localStorage.getItem('dormouse.theme');
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
