import {html, useState} from '../lib.js';
import {useSignal} from '../signal.js';
import {zone} from '../prefs.js';
import {absolute, isoDuration, nowMillis, zoneName} from '../time.js';
import {Field} from './dialog.js';
import {Segments} from './basics.js';

const QUICK = ['1m', '10m', '1h', '1d', '7d'];

/**
 * An input for an instant: a duration from now, or a date and time in the zone of the page. Passes {in: 'PT1H'} or {at: '…Z'} to
 * `onChange`, or null while the input is invalid.
 */
export function InstantField({onChange, initial = '1h'}) {
  const [mode, setMode] = useState('in');
  const [text, setText] = useState(initial);
  const [local, setLocal] = useState(() => localText(nowMillis() + 3_600_000));
  useSignal(zone);
  const chosen = choice(mode, text, local);
  const tell = (nextMode, nextText, nextLocal) => onChange(choice(nextMode, nextText, nextLocal));
  return html`<div class="row">
      <${Segments} label="How to say when" value=${mode} options=${[['in', 'in a while'], ['at', 'at a time']]}
        onChange=${next => { setMode(next); tell(next, text, local); }}/>
      ${mode === 'in' && QUICK.map(quick => html`<button type="button" class="button small" onClick=${() => { setText(quick); tell(mode, quick, local); }}>${quick}</button>`)}
    </div>
    ${mode === 'in'
      ? html`<${Field} label="From now" hint=${chosen ? '' : 'For instance 90s, 2h 30m, 3d or PT72H'}>
          <input name="in" class="mono" value=${text} autocomplete="off" onInput=${event => { setText(event.target.value); tell(mode, event.target.value, local); }}/></${Field}>`
      : html`<${Field} label=${`Date and time (${zoneName()})`} hint=${chosen ? absolute(chosen.at) : ''}>
          <input name="at" type="datetime-local" step="1" value=${local} onInput=${event => { setLocal(event.target.value); tell(mode, text, event.target.value); }}/></${Field}>`}`;
}

export const initialChoice = (text = '1h') => ({in: isoDuration(text)});

function choice(mode, text, local) {
  if (mode === 'in') {
    const duration = isoDuration(text);
    return duration ? {in: duration} : null;
  }
  const at = new Date(zone.get() === 'UTC' ? `${local}Z` : local);
  return Number.isNaN(at.getTime()) ? null : {at: at.toISOString()};
}

function localText(millis) {
  const shift = zone.get() === 'UTC' ? 0 : new Date(millis).getTimezoneOffset() * 60_000;
  return new Date(millis - shift).toISOString().slice(0, 19);
}
