import { currentLook } from '../export/theme';
import type { PageData } from '../protocol/page-data';

/** What an output holds. */
interface RenderedAnalysis {
  page: PageData;
  /** Texts in the reader's language. */
  texts: { open: string; frame: string };
  translations?: { language: string; texts: object };
}

/** Transactions that were executed with new code. */
interface RenderedReplay {
  id: number;
  /** With the hash that the text begins with, where it can be compared. */
  lines: { text: string; transaction?: string }[];
  compare: string;
}

interface OutputItem {
  readonly mime: string;
  json(): unknown;
}

interface RendererContext {
  /** Missing if the editor does not let outputs and extensions exchange messages. */
  postMessage?: (message: unknown) => void;
}

const REPLAY = 'application/vnd.forklens.replay+json';
const HEIGHT = '34rem';
const LINK =
  'border: 0; padding: 0; background: none; font: inherit; cursor: pointer; color: var(--vscode-textLink-foreground)';

const jsonElement = (document: Document, id: string, value: object): HTMLScriptElement =>
  Object.assign(document.createElement('script'), {
    type: 'application/json',
    id,
    // Nothing in the data can end its element.
    textContent: JSON.stringify(value).replaceAll('<', '\\u003c'),
  });

/** Files of the inspector's page. */
interface PageFiles {
  script: string;
  style: string;
  font: ArrayBuffer;
}

/** Reads the files here: the editor does not serve them to a document inside an output. */
async function readPage(): Promise<PageFiles> {
  const read = (name: string): Promise<Response> => fetch(new URL(name, import.meta.url));
  const [script, style, font] = await Promise.all([
    read('./page.js').then((response) => response.text()),
    read('./page.css').then((response) => response.text()),
    read('./codicon.ttf').then((response) => response.arrayBuffer()),
  ]);
  // The security policy of outputs refuses fonts that a style sheet contains.
  return { script, style: style.replaceAll(/@font-face\s*\{[^}]*\}/g, ''), font };
}

/** The inspector's page with the data of an output. A document of its own keeps the keys and styles of several outputs apart. */
function pageOf({ page, translations }: RenderedAnalysis, files: PageFiles): string {
  const owned = document.implementation.createHTMLDocument();
  const { head, body, documentElement } = owned;
  documentElement.lang = translations?.language ?? 'en';
  const style = owned.createElement('style');
  style.textContent = files.style;
  head.append(style);
  body.append(jsonElement(owned, 'analysis', page));
  if (translations) body.append(jsonElement(owned, 'translations', translations.texts));
  const script = owned.createElement('script');
  script.textContent = files.script;
  body.append(script);
  applyLook(owned);
  return `<!DOCTYPE html>${documentElement.outerHTML}`;
}

/** Gives a document the theme of this one. */
function applyLook({ documentElement, body }: Document): void {
  const { variables, bodyClasses } = currentLook();
  // The theme before may have had more colours.
  documentElement.removeAttribute('style');
  for (const [name, value] of Object.entries(variables)) {
    documentElement.style.setProperty(name, value);
  }
  body.className = bodyClasses.join(' ');
}

/** The editor's key bindings work inside the page as well: it sees the keys that the page does not take. */
function forwardKeys(inner: Document): void {
  inner.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey || /^F\d+$/.test(event.key))) {
      return;
    }
    window.dispatchEvent(new KeyboardEvent('keydown', event));
  });
}

async function render(
  rendered: RenderedAnalysis,
  element: HTMLElement,
  context: RendererContext,
  reading: Promise<PageFiles>,
): Promise<void> {
  const { source } = rendered.page;
  const open = document.createElement('button');
  open.textContent = rendered.texts.open;
  open.style.cssText = `${LINK}; padding-bottom: 4px`;
  open.addEventListener('click', () => context.postMessage?.({ source }));
  const frame = document.createElement('iframe');
  frame.title = rendered.texts.frame;
  frame.style.cssText = `display: block; box-sizing: border-box; width: 100%; height: ${HEIGHT}; border: 1px solid var(--vscode-panel-border, transparent)`;
  // At once, because the editor measures the output now.
  element.replaceChildren(...(context.postMessage ? [open] : []), frame);
  const files = await reading;
  frame.addEventListener('load', () => {
    const { contentDocument: inner } = frame;
    if (inner === null) return;
    forwardKeys(inner);
    inner.fonts.add(new FontFace('codicon', files.font));
  });
  frame.srcdoc = pageOf(rendered, files);
}

/** Lines of text, in which hashes open a comparison. */
function renderReplay(
  { id, lines, compare }: RenderedReplay,
  element: HTMLElement,
  { postMessage }: RendererContext,
): void {
  const shown = document.createElement('pre');
  shown.style.cssText =
    'margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: var(--vscode-editor-font-size)/1.5 var(--vscode-editor-font-family)';
  for (const { text, transaction } of lines) {
    if (transaction === undefined || !postMessage) {
      shown.append(`${text}\n`);
      continue;
    }
    const link = document.createElement('button');
    link.textContent = transaction;
    link.title = compare;
    link.style.cssText = LINK;
    link.addEventListener('click', () => {
      postMessage({ replay: id, transaction });
    });
    shown.append(link, `${text.slice(transaction.length)}\n`);
  }
  element.replaceChildren(shown);
}

/** Shows what cells of notebooks found. The editor calls it with the first of them. */
export function activate(context: RendererContext): {
  renderOutputItem: (item: OutputItem, element: HTMLElement) => Promise<void> | void;
} {
  let files: Promise<PageFiles> | undefined;
  const shown = new Set<HTMLElement>();
  const themes = new MutationObserver(() => {
    for (const element of shown) {
      if (!element.isConnected) shown.delete(element);
      const inner = element.querySelector('iframe')?.contentDocument;
      if (inner?.body) applyLook(inner);
    }
  });
  themes.observe(document.documentElement, { attributeFilter: ['style'] });
  themes.observe(document.body, { attributeFilter: ['class'] });
  return {
    renderOutputItem(item, element) {
      if (item.mime === REPLAY) {
        renderReplay(item.json() as RenderedReplay, element, context);
        return;
      }
      shown.add(element);
      return render(item.json() as RenderedAnalysis, element, context, (files ??= readPage()));
    },
  };
}
