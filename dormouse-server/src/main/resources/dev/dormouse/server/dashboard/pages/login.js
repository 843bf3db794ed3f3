import {html, useState} from '../lib.js';
import {login} from '../api.js';
import {Refusal} from '../parts/basics.js';
import {Logo} from '../parts/logo.js';

const UNKNOWN = 'Expected a token that this server knows, but this one is not. Check that you copied all of it.';

/** The login page, shown after a 401. The user enters a token once; the server then sets a cookie that scripts cannot read. */
export function Login() {
  const [token, setToken] = useState('');
  const [error, setError] = useState(null);
  const submit = async event => {
    event.preventDefault();
    try {
      await login(token);
    } catch (refused) {
      setError(refused.status === 401 ? {code: refused.code, message: UNKNOWN} : refused);
    }
  };
  return html`<main class="login"><form class="card" onSubmit=${submit}>
    <h1 class="brand"><${Logo}/>Dormouse</h1>
    <p class="muted">This server needs a token, which its operator gives you. The token has a role: reader, operator or admin.</p>
    <label class="field"><span>Token</span>
      <input type="password" name="token" autocomplete="current-password" autofocus value=${token} onInput=${event => setToken(event.target.value)}/></label>
    <${Refusal} error=${error}/>
    <button class="button primary" disabled=${!token}>Log in</button>
  </form></main>`;
}
