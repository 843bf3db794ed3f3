import {go, route} from './router.js';
import {closeDialog, dialogIsOpen} from './parts/dialog.js';
import {isTyping} from './parts/list-keys.js';

const PAGES = {o: '#/', w: '#/workflows', t: '#/timers', s: '#/schedules', n: '#/nodes'};
const CHORD_MILLIS = 1200;

/** Listens for the keys that work on every page. Lists and dialogs define their own. */
export function listenToKeys(showHelp) {
  let chordUntil = 0;
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      escape();
    } else if (isTyping(event.target) || dialogIsOpen()) {
      return;
    } else if (event.key === 'g') {
      chordUntil = Date.now() + CHORD_MILLIS;
    } else if (Date.now() < chordUntil && PAGES[event.key]) {
      chordUntil = 0;
      go(PAGES[event.key]);
    } else if (event.key === '/') {
      event.preventDefault();
      search();
    } else if (event.key === '?') {
      event.preventDefault();
      showHelp();
    }
  });
}

function escape() {
  if (dialogIsOpen()) closeDialog();
  else if (isTyping(document.activeElement)) document.activeElement.blur();
  else if (route.get().id) go(`#/${route.get().page}`);
}

function search() {
  const field = document.getElementById('search');
  if (field) {
    field.focus();
    return;
  }
  go('#/workflows');
  setTimeout(() => document.getElementById('search') && document.getElementById('search').focus(), 50);
}

export const HELP = [
  ['/', 'search workflows'],
  ['g o', 'overview'],
  ['g w', 'workflows'],
  ['g t', 'timers'],
  ['g s', 'schedules'],
  ['g n', 'nodes'],
  ['↑ ↓', 'walk a list (also j and k)'],
  ['Enter', 'open'],
  ['x', 'pick for a batch action'],
  ['← →', 'walk the tabs of a workflow'],
  ['Esc', 'close a dialog, leave a field, go back to the list'],
  ['?', 'this help'],
];
