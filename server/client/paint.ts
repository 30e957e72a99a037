/** How words are emphasized: a terminal has colours, a document has none. */
export type Paint = Readonly<
  Record<'bold' | 'dim' | 'green' | 'red' | 'yellow', (text: string) => string>
>;

const plain = (text: string): string => text;
export const NO_PAINT: Paint = {
  bold: plain,
  dim: plain,
  green: plain,
  red: plain,
  yellow: plain,
};
