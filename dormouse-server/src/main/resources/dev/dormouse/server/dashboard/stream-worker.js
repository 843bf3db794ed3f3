import {Stream} from './stream.js';

const stream = new Stream();

self.onconnect = event => {
  const [port] = event.ports;
  port.onmessage = message => stream.hear(port, message.data);
};
