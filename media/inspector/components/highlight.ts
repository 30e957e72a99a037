const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Whoever shows an address says so by this attribute, so that the same one can be marked wherever it stands. */
export function addressMark(address: string | undefined): { 'data-address'?: string } {
  return address !== undefined && ADDRESS.test(address) ? { 'data-address': address } : {};
}

function pointedAt(event: Event): string | undefined {
  const target = event.target instanceof Element ? event.target : undefined;
  return target?.closest<HTMLElement>('[data-address]')?.dataset['address'];
}

/**
 * Marks an address everywhere while one of its places is pointed at or has the focus. By a rule of a style sheet: no
 * component renders for it, however many show the address.
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
