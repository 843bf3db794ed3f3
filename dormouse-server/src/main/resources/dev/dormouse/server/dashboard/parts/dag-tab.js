import {html} from '../lib.js';
import {post} from '../api.js';
import {useApi} from '../live.js';
import {may} from '../session.js';
import {Loaded} from './basics.js';
import {confirm} from './dialog.js';
import {DagPicture} from './dag.js';

export function DagTab({run}) {
  const dag = useApi(`/workflows/${encodeURIComponent(run.workflowId)}/dag`, {run: run.runId}, {topic: run.workflowId, least: 500, most: 4000});
  const state = dag.data && dag.data.state;
  const definition = useApi(state && state.dag && `/dags/${encodeURIComponent(state.dag)}`, {version: state && state.version}, {topic: 'none', most: 600_000});
  return html`<div class="body"><${Loaded} from=${dag}>${data => html`
    ${(data.approvals || []).map(approval => html`<${Approval} key=${approval.token} approval=${approval} reload=${dag.reload}/>`)}
    <${DagPicture} state=${data.state} definition=${definition.data}/>`}</${Loaded}></div>`;
}

function Approval({approval, reload}) {
  const decide = (verb, title) => confirm({
    title: `${title} ${approval.step}?`,
    text: 'The run continues with your answer. You cannot change it later.',
    action: title,
    danger: verb === 'reject',
    submit: async () => {
      await post(`/approvals/${encodeURIComponent(approval.token)}/${verb}`, {});
      reload();
      return `${title}d ${approval.step}`.replace('Rejectd', 'Rejected');
    },
  });
  return html`<div class="row note amber"><span class="grow">Step <strong>${approval.step}</strong> waits for an approval.</span>
    ${may('operator') && html`<button type="button" class="button primary" onClick=${() => decide('approve', 'Approve')}>Approve</button>
      <button type="button" class="button danger" onClick=${() => decide('reject', 'Reject')}>Reject</button>`}</div>`;
}
