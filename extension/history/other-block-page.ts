/** Style sheet of the list: the theme's own fonts and colours. */
export const LIST_STYLE = `
body { color: var(--vscode-foreground); background: var(--vscode-editor-background); font-family: var(--vscode-font-family);
  font-size: var(--vscode-font-size); line-height: 22px; padding: 0 20px 20px; }
h1 { font-size: 1.4em; font-weight: 600; margin: 16px 0 4px; }
p { margin: 0 0 8px; }
.quiet { color: var(--vscode-descriptionForeground); }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 8px; }
button { background: var(--vscode-button-secondaryBackground); border: 0; color: var(--vscode-button-secondaryForeground); cursor: pointer;
  font: inherit; padding: 1px 8px; }
nav button:first-child { background: var(--vscode-button-background); color: var(--vscode-button-foreground); }
button:focus-visible, li:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 1px; }
ol { list-style: none; margin: 0; padding: 0; }
li { align-items: baseline; border-top: 2px solid transparent; cursor: grab; display: flex; flex-wrap: wrap; gap: 0 12px; padding: 1px 4px; }
li:hover { background: var(--vscode-list-hoverBackground); }
li.over { border-top-color: var(--vscode-focusBorder); }
li.dropped .title { text-decoration: line-through; }
.was { color: var(--vscode-descriptionForeground); font-variant-numeric: tabular-nums; min-width: 2em; text-align: end; }
.state { color: var(--vscode-charts-yellow); overflow-wrap: anywhere; }
.actions { margin-inline-start: auto; display: flex; gap: 4px; }
pre { font-family: var(--vscode-editor-font-family); overflow-x: auto; }
`;

/** Script of the list. The extension keeps the order, and sends the items after each change. */
export const LIST_SCRIPT = `
const host = acquireVsCodeApi();
const list = document.getElementById('list');
const result = document.getElementById('result');
let dragged;
const idOf = (target) => {
  const item = target instanceof Element ? target.closest('li[data-id]') : null;
  return item ? Number(item.dataset.id) : undefined;
};
const mark = (target) => {
  for (const item of list.children) item.classList.toggle('over', item === target);
};
const KEYS = { ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last' };
list.addEventListener('dragstart', (event) => {
  dragged = idOf(event.target);
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setData('text/plain', String(dragged));
});
document.addEventListener('dragover', (event) => {
  if (dragged === undefined) return;
  event.preventDefault();
  mark(event.target.closest ? event.target.closest('li[data-id]') : null);
});
document.addEventListener('drop', (event) => {
  if (dragged === undefined) return;
  event.preventDefault();
  host.postMessage({ do: 'place', id: dragged, before: idOf(event.target) });
});
document.addEventListener('dragend', () => {
  dragged = undefined;
  mark(null);
});
list.addEventListener('keydown', (event) => {
  const id = idOf(event.target);
  if (id === undefined || event.target.tagName === 'BUTTON') return;
  const movement = KEYS[event.key];
  if (event.altKey && movement) host.postMessage({ do: 'move', id, movement });
  else if (event.key === 'Delete') host.postMessage({ do: 'toggle', id });
  else if (event.key === 'Enter') host.postMessage({ do: 'change', id });
  else if (movement) {
    const items = [...list.children];
    const index = items.indexOf(event.target);
    const next = { up: index - 1, down: index + 1, first: 0, last: items.length - 1 }[movement];
    items[Math.min(Math.max(next, 0), items.length - 1)].focus();
  } else return;
  event.preventDefault();
});
document.addEventListener('click', (event) => {
  const action = event.target.dataset ? event.target.dataset.do : undefined;
  if (action) host.postMessage({ do: action, id: idOf(event.target) });
});
list.addEventListener('focusin', (event) => {
  host.postMessage({ do: 'select', id: idOf(event.target) });
});
window.addEventListener('message', ({ data }) => {
  if (data.result !== undefined) result.textContent = data.result;
  if (data.list === undefined) return;
  list.innerHTML = data.list;
  const selected = list.querySelector('li[data-id="' + Number(data.selected) + '"]');
  if (selected) selected.focus();
});
host.postMessage({ do: 'ready' });
`;
