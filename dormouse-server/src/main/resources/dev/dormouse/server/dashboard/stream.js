/*
 * The stream of changes, shared by all tabs of a browser. A browser opens at most six connections to a server over HTTP/1.1, so with
 * one stream per tab the seventh tab would get none. The stream is open while at least one tab is visible. Its address contains the
 * workflow ids that the tabs show. It runs in a shared worker, or in the tab itself if the browser has no shared workers.
 */
const MOST_WATCHED = 20; // the limit of the server; for further workflow ids, tabs poll
const RETRY_MILLIS = 5000;
const SILENT_MILLIS = 90_000;

/** The interval at which a tab must repeat its state, so that crashed tabs are noticed. */
export const REPEAT_MILLIS = 30_000;

export class Stream {
  constructor() {
    this.tabs = new Map(); // the state of each visible tab, by port
    this.latest = new Map();
    this.source = null;
    this.watched = [];
    this.isOpen = false;
    setInterval(() => this.forgetSilent(), SILENT_MILLIS);
  }

  /**
   * Handles a tab's state: the address of the stream, the workflow ids that the tab shows, and whether the tab is visible. `again` is
   * set when the server answers again.
   */
  hear(port, {address, watched, shown, again}) {
    const isNew = !this.tabs.has(port);
    if (shown) this.tabs.set(port, {watched, heard: Date.now()});
    else this.tabs.delete(port);
    if (address) this.address = address;
    if (again && !this.isOpen) this.close();
    this.follow();
    if (shown && isNew) this.repeat(port);
  }

  /** Sends a new tab the state that the other tabs have already received. */
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

  // The browser reconnects by itself unless the response was not a stream. In that case, reconnect later.
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
