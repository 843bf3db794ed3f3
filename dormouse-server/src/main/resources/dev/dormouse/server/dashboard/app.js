import {html, render, useEffect, useErrorBoundary} from './lib.js';
import {useSignal} from './signal.js';
import {isolated} from './bidi.js';
import {loginNeeded, logout, silentSince} from './api.js';
import {connected, listen, useApi} from './live.js';
import {theme, toggleTheme, toggleZone, zone} from './prefs.js';
import {route} from './router.js';
import {info, readInfo} from './session.js';
import {HELP, listenToKeys} from './keys.js';
import {clock, span, zoneName} from './time.js';
import {Dialog, Dialogs, openDialog} from './parts/dialog.js';
import {Logo} from './parts/logo.js';
import {toast, Toasts} from './parts/toast.js';
import {Empty, Refusal} from './parts/basics.js';
import {Login} from './pages/login.js';
import {Nodes} from './pages/nodes.js';
import {Overview} from './pages/overview.js';
import {Schedules} from './pages/schedules.js';
import {Timer} from './pages/timer.js';
import {Timers} from './pages/timers.js';
import {Workflow} from './pages/workflow.js';
import {Workflows} from './pages/workflows.js';

const NAV = [['', 'Overview'], ['workflows', 'Workflows'], ['timers', 'Timers'], ['schedules', 'Schedules'], ['nodes', 'Nodes']];

function App() {
  const needed = useSignal(loginNeeded);
  useEffect(() => {
    if (!needed) readInfo();
  }, [needed]);
  if (needed) return html`<${Login}/>`;
  return html`<${Top}/><main class="main" id="main"><${Silence}/><${Outages}/><${Page}/></main><${Dialogs}/><${Toasts}/>`;
}

function Top() {
  const {page} = useSignal(route);
  return html`<header class="top">
    <a class="brand" href="#/"><${Logo}/>Dormouse</a>
    <nav class="nav" aria-label="Pages">${NAV.map(([key, name]) => html`<a key=${key} href=${`#/${key}`} aria-current=${key === page ? 'page' : undefined}>${name}</a>`)}</nav>
    <${Tools}/>
  </header>`;
}

function Tools() {
  const known = useSignal(info);
  const look = useSignal(theme);
  const where = useSignal(zone);
  const dark = look === 'dark';
  return html`<div class="tools">
    ${known && html`<${Store} known=${known}/>`}
    <${ZoneButton} where=${where}/>
    <button type="button" class="button quiet icon" aria-label=${dark ? 'Switch to light' : 'Switch to dark'} onClick=${toggleTheme}><${ThemeIcon} dark=${dark}/></button>
    <button type="button" class="button quiet icon wide-only" aria-label="Keyboard help" onClick=${showHelp}>?</button>
    ${known && known.caller !== 'local' && html`<button type="button" class="button quiet" title=${`Logged in as ${known.caller}, ${known.role}`} onClick=${leave}>Log out</button>`}
    <${Streaming}/>
  </div>`;
}

async function leave() {
  try {
    await logout();
    info.set(null);
  } catch (error) {
    toast(error.message, 'red');
  }
}

function Store({known}) {
  const {kind, version, name} = known.store;
  return html`<span class="chip outline store" title=${`Dormouse ${known.version}; ${known.caller}, ${known.role}`}>${kind} ${(version || '').split('.')[0]} · ${name}</span>
    ${known.readOnly && html`<span class="chip grey">read-only</span>`}`;
}

function ZoneButton({where}) {
  // If local time is UTC, the label "UTC" would not show which of the two is chosen.
  const name = where === 'UTC' ? 'UTC' : zoneName() === 'UTC' ? 'local' : zoneName();
  return html`<button type="button" class="button quiet" title="Times in UTC or in local time" onClick=${toggleZone}
    aria-label=${`Times are shown in ${where === 'UTC' ? 'UTC' : 'local time'}; switch`}>${name}</button>`;
}

const STREAMING = {
  true: ['green live', 'live', 'Changes are shown as they happen'],
  false: ['amber', 'polling', 'The stream of changes is not open: pages ask every few seconds'],
  null: ['grey', '…', 'The stream of changes is being opened'],
};

const SILENT = ['red', 'no answer', 'The server cannot be reached; it is tried again every few seconds'];

function Streaming() {
  const open = useSignal(connected);
  const [look, text, title] = useSignal(silentSince) ? SILENT : STREAMING[open];
  return html`<span class=${`chip ${look}`} role="status" title=${title}><span class="dot"></span>${text}</span>`;
}

function Silence() {
  const since = useSignal(silentSince);
  useSignal(zone);
  return since && html`<p class="note red" role="alert">The server has not answered since ${clock(since)}. It is tried again every few seconds; what is shown is from before.</p>`;
}

/** Outages of the store. The server reports them even while the store does not respond. */
function Outages() {
  const {data} = useApi('/info', {}, {least: 5000, most: 5000});
  const found = (data && data.outages) || [];
  return found.map(outage => html`<p key=${outage.cause} class="note red" role="alert">${outage.text}</p>`);
}

function ThemeIcon({dark}) {
  return html`<svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true">${dark
    ? html`<circle cx="10" cy="10" r="3.4"/><path d="M10 2v2M10 16v2M2 10h2M16 10h2M4.4 4.4l1.4 1.4M14.2 14.2l1.4 1.4M15.6 4.4l-1.4 1.4M5.8 14.2l-1.4 1.4"/>`
    : html`<path d="M16.5 12.2A7 7 0 1 1 7.8 3.5a5.6 5.6 0 0 0 8.7 8.7z"/>`}</svg>`;
}

function Page() {
  const {page, id} = useSignal(route);
  useSignal(info);
  const [broken, forget] = useErrorBoundary();
  useEffect(() => {
    if (broken) forget();
    const name = NAV.find(([key]) => key === page);
    document.title = `${id ? isolated(id) : name ? name[1] : 'Dormouse'} · Dormouse`;
    window.scrollTo(0, 0);
  }, [page, id]);
  if (broken) return html`<${Refusal} error=${broken}/>`;
  switch (page) {
    case '': return html`<${Overview}/>`;
    case 'workflows': return id ? html`<${Workflow} key=${id} id=${id}/>` : html`<${Workflows}/>`;
    case 'timers': return id ? html`<${Timer} key=${id} id=${id}/>` : html`<${Timers}/>`;
    case 'schedules': return html`<${Schedules}/>`;
    case 'nodes': return html`<${Nodes}/>`;
    default: return html`<section class="card"><${Empty} title="There is no such page"><a class="linkish strong" href="#/">To the overview</a></${Empty}></section>`;
  }
}

function showHelp() {
  openDialog(close => html`<${Dialog} title="Keys" onClose=${close}>
    <div class="content"><dl class="keys">${HELP.map(([keys, text]) => html`<dt>${keys.split(' ').map(key => html`<kbd>${key}</kbd> `)}</dt><dd>${text}</dd>`)}</dl></div>
  </${Dialog}>`);
}

let silence = null;
silentSince.watch(since => {
  if (!since) toast(`The server answers again, after ${span(Date.now() - silence)}`);
  silence = since;
});

listenToKeys(showHelp);
listen();
render(html`<${App}/>`, document.getElementById('app'));
