// Licences of the bundled packages: the texts to ship, and the accepted licences.
import satisfies from 'spdx-satisfies';

/** Permissive licences, which require only their text and a notice. */
const ACCEPTED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

/** @returns a sentence for each component that must not be bundled */
export function licenceFaults(components) {
  return components.flatMap(({ name, version, license, texts }) => {
    const what = `${name}@${version}`;
    if (!isAccepted(license)) {
      return [`${what} has the licence ${license}; accepted: ${ACCEPTED.join(', ')}`];
    }
    if (texts.length > 0) return [];
    return [`${what} publishes no licence text; put it into extension/packaging/licence-texts`];
  });
}

function isAccepted(license) {
  try {
    return satisfies(license, ACCEPTED);
  } catch {
    return false; // not an SPDX expression
  }
}

/** @throws Error if a component must not be bundled, so that no package is created */
export function thirdPartyText(components) {
  const faults = licenceFaults(components);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const rule = '='.repeat(80);
  const sections = components.map(({ name, version, license, manifest, texts }) => {
    const home = manifest.homepage ?? `https://www.npmjs.com/package/${name}`;
    return [rule, `${name} ${version}`, home, `Licence: ${license}`, rule, '', ...texts, ''].join(
      '\n',
    );
  });
  const head =
    'Forklens contains the following software of others, under their licences.\n' +
    'The same list for programs: sbom.cdx.json (CycloneDX).\n';
  return [head, ...sections].join('\n').replaceAll('\r\n', '\n');
}
