/** Longer than the interval of 250 ms at which the editor looks whether the document has the focus. */
const LOOK_MS = 300;
const LOOKS = 10;

/**
 * Takes the focus back, which the editor gave to a source. The editor may then report a loss of before, and leave the focus on its frame
 * around the document: so the document looks again until it has kept the focus for an interval.
 */
export function takeFocus(looks = LOOKS): void {
  const had = document.hasFocus();
  if (!had) window.focus();
  setTimeout(() => {
    if (looks > 1 && !(had && document.hasFocus())) takeFocus(looks - 1);
  }, LOOK_MS);
}
