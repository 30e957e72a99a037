import fs from 'node:fs';
import path from 'node:path';

/**
 * Settings that keep the bundled service's files below `folder` and disable its requests to the internet.
 * Writes the config file that the settings name.
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
