/** Formats an error message as a sentence: capital letter, full stop. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
