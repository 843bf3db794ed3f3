import {signal} from './signal.js';

/** The theme stored in this browser: 'light' or 'dark'. */
export const theme = signal(document.documentElement.dataset.theme);

/** The time zone stored in this browser, in which instants are shown: 'UTC' or 'local'. */
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

// Follow the system's theme until the user chooses one.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', event => {
  if (!localStorage.getItem('dormouse.theme')) show(event.matches ? 'dark' : 'light');
});
