/** Longer than the interval of 250 ms at which the editor looks whether the document has the focus. */
const LOOK_MS = 300;
const LOOKS = 10;
/** Looks in a row at which the document has the focus, until it is left alone. */
const KEPT = 3;

/**
 * Takes the focus back to the call tree, which the editor gave to a source. The editor may then report a loss of before, and leave the
 * focus on its frame around the document: so the document looks again until it has kept the focus for a while. A document that gets the
 * focus back can have none of its elements focused.
 */
export function takeFocus(looks = LOOKS, kept = 0): void {
  const has = document.hasFocus();
  if (!has) window.focus();
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>('[role=tree]')?.focus({ preventScroll: true });
  }
  const keptNow = has ? kept + 1 : 0;
  if (looks <= 1 || keptNow >= KEPT) return;
  setTimeout(() => {
    takeFocus(looks - 1, keptNow);
  }, LOOK_MS);
}
