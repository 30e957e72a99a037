const ADDRESS = /^0x[0-9a-f]{40}$/;

const COLOURS = 6;
const SHAPES = 4;

/** Attributes of an element that shows an address. */
interface AddressMark {
  'data-address'?: string;
  /** Of the theme's chart colours, and of the shapes of a mark: two addresses of one colour may differ in shape. */
  'data-hue'?: number;
  'data-shape'?: number;
}

/**
 * Marks an element as showing an address: all elements with the same address have the same mark in every view and every analysis, and
 * can be highlighted together.
 */
export function addressMark(address: string | undefined): AddressMark {
  if (address === undefined || !ADDRESS.test(address)) return {};
  const number = Number.parseInt(address.slice(-4), 16);
  return {
    'data-address': address,
    'data-hue': number % COLOURS,
    'data-shape': Math.floor(number / COLOURS) % SHAPES,
  };
}

function pointedAt(event: Event): string | undefined {
  const target = event.target instanceof Element ? event.target : undefined;
  return target?.closest<HTMLElement>('[data-address]')?.dataset['address'];
}

/**
 * Highlights all elements with an address while the pointer or the focus is on one of them. Uses a style sheet rule, so that
 * no component renders again, regardless of the number of elements.
 */
export function highlightAddresses(): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let marked: string | undefined;
  const mark = (event: Event): void => {
    const address = pointedAt(event);
    if (address === marked) return;
    marked = address;
    sheet.replaceSync(
      address !== undefined && ADDRESS.test(address)
        ? `[data-address="${address}"] { ${MARK} }`
        : '',
    );
  };
  document.addEventListener('pointerover', mark);
  document.addEventListener('focusin', mark);
  document.documentElement.addEventListener('pointerleave', mark);
}

const MARK = [
  'background-color: var(--vscode-editor-wordHighlightStrongBackground, var(--vscode-editor-selectionHighlightBackground))',
  'outline: 1px solid var(--vscode-editor-wordHighlightStrongBorder, var(--vscode-contrastActiveBorder, transparent))',
  'border-radius: 2px',
].join('; ');
