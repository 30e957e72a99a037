/** A method as a list of transactions names it. */
interface ListedMethod {
  readonly method: string;
  readonly selector: string;
  readonly isGuessed?: true | undefined;
}

/** `transfer`, `transfer?` where only the selector matches the name, else the selector; empty for a call without one. */
export const methodText = ({ method, selector, isGuessed }: ListedMethod): string =>
  method === '' ? selector : `${method}${isGuessed ? '?' : ''}`;
