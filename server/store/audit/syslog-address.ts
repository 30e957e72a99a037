const PORT = 514;

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

export const portOf = ({ port }: URL): number => (port === '' ? PORT : Number(port));
