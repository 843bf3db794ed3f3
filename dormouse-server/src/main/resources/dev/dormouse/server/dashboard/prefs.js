import {signal} from './signal.js';

/** What this browser remembers: 'light' or 'dark', and whether instants are shown in 'UTC' or in 'local' time. */
export const theme = signal(document.documentElement.dataset.theme);
export const zone = signal(localStorage.getItem('dormouse.zone') === 'UTC' ? 'UTC' : 'local');

export function toggleTheme() {
  const next = theme.get() === 'dark' ? 'light' : 'dark';
  localStorage.setItem('dormouse.theme', next);
  show(next);
}

export function toggleZone() {
  const next = zone.get() === 'UTC' ? 'local' : 'UTC';
  localStorage.setItem('dormouse.zone', next);
  zone.set(next);
}

function show(next) {
  document.documentElement.dataset.theme = next;
  theme.set(next);
}

// Follows the system until the user has chosen.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', event => {
  if (!localStorage.getItem('dormouse.theme')) show(event.matches ? 'dark' : 'light');
});
