/*
 * The stream of changes for all tabs of a browser. A browser opens six connections to a server over HTTP/1.1, so a stream for each
 * tab would leave none for the seventh tab. The stream is open while at least one tab is shown, and says which runs the tabs show.
 * It lives in a shared worker, or in the tab itself where the browser has no shared workers.
 */
const MOST_WATCHED = 20; // the server accepts no more; other tabs ask every few seconds
const RETRY_MILLIS = 5000;
const SILENT_MILLIS = 90_000;

/** How often a tab must repeat its state: a tab that crashed says nothing. */
export const REPEAT_MILLIS = 30_000;

export class Stream {
  constructor() {
    this.tabs = new Map(); // the port of each tab that is shown, with its state
    this.latest = new Map();
    this.source = null;
    this.watched = [];
    this.isOpen = false;
    setInterval(() => this.forgetSilent(), SILENT_MILLIS);
  }

  /** A tab's state: the stream's address, the runs that it shows, whether it is shown itself; `again` if the server answers again. */
  hear(port, {address, watched, shown, again}) {
    const isNew = !this.tabs.has(port);
    if (shown) this.tabs.set(port, {watched, heard: Date.now()});
    else this.tabs.delete(port);
    if (address) this.address = address;
    if (again && !this.isOpen) this.close();
    this.follow();
    if (shown && isNew) this.repeat(port);
  }

  /** The state that the other tabs know already. */
  repeat(port) {
    if (this.isOpen) port.postMessage({kind: 'open'});
    this.latest.forEach((data, kind) => port.postMessage({kind, data, old: true}));
  }

  follow() {
    const wanted = [...new Set([...this.tabs.values()].flatMap(tab => tab.watched))].slice(-MOST_WATCHED);
    if (this.tabs.size === 0) this.close();
    else if (!this.source || !wanted.every(id => this.watched.includes(id))) this.open(wanted);
  }

  open(watched) {
    this.close();
    this.watched = watched;
    const parameters = watched.map(id => `workflow=${encodeURIComponent(id)}`).join('&');
    const source = new EventSource(this.address + (parameters ? `?${parameters}` : ''));
    source.onopen = () => {
      this.isOpen = true;
      this.tell({kind: 'open'});
    };
    source.onerror = () => this.lost(source);
    ['pulse', 'nodes', 'run'].forEach(kind => source.addEventListener(kind, event => this.received(kind, event.data)));
    this.source = source;
  }

  received(kind, text) {
    const data = JSON.parse(text);
    if (kind !== 'run') this.latest.set(kind, data);
    this.tell({kind, data});
  }

  // The browser reconnects by itself, unless the answer was not a stream at all: then this does, later.
  lost(source) {
    this.isOpen = false;
    this.tell({kind: 'lost'});
    if (source.readyState === EventSource.CLOSED) {
      this.close();
      setTimeout(() => this.source || this.follow(), RETRY_MILLIS);
    }
  }

  close() {
    if (this.source) this.source.close();
    this.source = null;
    this.isOpen = false;
  }

  tell(message) {
    this.tabs.forEach((tab, port) => port.postMessage(message));
  }

  forgetSilent() {
    this.tabs.forEach((tab, port) => tab.heard < Date.now() - SILENT_MILLIS && this.tabs.delete(port));
    this.follow();
  }
}
