import fs from 'node:fs';
import path from 'node:path';

/**
 * Settings under which the bundled service keeps its files below `folder`, and asks no service on the internet.
 * Writes the config file that they name.
 */
export function serviceSettings(folder: string): Record<string, string> {
  const config = path.join(folder, 'forklens.json');
  const abi = { sourcify: { enabled: false }, signatures: { enabled: false } };
  fs.writeFileSync(config, JSON.stringify({ abi }));
  return {
    'forklens.service.dataDirectory': path.join(folder, 'forklens'),
    'forklens.service.configFile': config,
  };
}
