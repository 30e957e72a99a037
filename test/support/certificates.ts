import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificate {
  certFile: string;
  keyFile: string;
  cert: Buffer;
}

/** Makes a certificate of 127.0.0.1 and localhost, which is its own authority. @param name of the two files */
export function makeCertificate(folder: string, name = 'service'): TestCertificate {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const args = [
    'req',
    '-x509',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    keyFile,
    '-out',
    certFile,
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
  ];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return { certFile, keyFile, cert: readFileSync(certFile) };
}

export const tlsArguments = ({ certFile, keyFile }: TestCertificate): string[] => [
  '--tls-cert',
  certFile,
  '--tls-key',
  keyFile,
];
