// Runs before the page is drawn, and so is not a module: otherwise a dark page would flash white first.
(() => {
  const chosen = localStorage.getItem('dormouse.theme');
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
