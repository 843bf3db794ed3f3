// Runs before the page is drawn, so that a dark page does not flash white first.
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem('dormouse.site.theme'); } catch (e) { /* storage is off */ }
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
