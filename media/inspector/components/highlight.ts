const ADDRESS = /^0x[0-9a-f]{40}$/;

/** The theme's colours without a meaning of their own: no red, green or amber. `identity.css` has them. */
const COLOURS = 5;
/** Filled and hollow circles, squares and diamonds. */
const SHAPES = 6;
const MARKS = COLOURS * SHAPES;

/** Attributes of an element that shows an address. */
interface AddressMark {
  'data-address'?: string;
  'data-hue'?: number;
  'data-shape'?: number;
}

/** The marks of the document's addresses, and those that are taken. */
const marks = new Map<string, number>();
const taken = new Set<number>();
const takenColours = new Set<number>();

/**
 * The mark that the address itself gives, or the next free one: the first five addresses have a colour each, and no two of the first thirty
 * look alike.
 */
function markOf(address: string): number {
  const known = marks.get(address);
  if (known !== undefined) return known;
  if (taken.size === MARKS) taken.clear();
  const isFree = (mark: number): boolean =>
    !taken.has(mark) && (takenColours.size === COLOURS || !takenColours.has(mark % COLOURS));
  let mark = Number.parseInt(address.slice(-4), 16) % MARKS;
  while (!isFree(mark)) mark = (mark + 1) % MARKS;
  taken.add(mark);
  takenColours.add(mark % COLOURS);
  marks.set(address, mark);
  return mark;
}

/** Forgets the marks, because another analysis starts. */
export function resetMarks(): void {
  marks.clear();
  taken.clear();
  takenColours.clear();
}

/**
 * Marks an element as showing an address: all elements with the same address have the same mark in every view, and can be highlighted
 * together.
 */
export function addressMark(address: string | undefined): AddressMark {
  if (address === undefined || !ADDRESS.test(address)) return {};
  const mark = markOf(address);
  return {
    'data-address': address,
    'data-hue': mark % COLOURS,
    'data-shape': Math.floor(mark / COLOURS),
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
