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

/**
 * Licences that ask for the source of their own files only. Packages under them are bundled as they were published, and the text beside the
 * bundles names their source.
 */
const ACCEPTED_UNMODIFIED = ['MPL-2.0'];

/** @returns a sentence for each component that must not be bundled */
export function licenceFaults(components) {
  return components.flatMap(({ name, version, license, texts }) => {
    const what = `${name}@${version}`;
    if (!isAccepted(license)) {
      const accepted = [...ACCEPTED, ...ACCEPTED_UNMODIFIED].join(', ');
      return [`${what} has the licence ${license}; accepted: ${accepted}`];
    }
    if (texts.length > 0) return [];
    return [`${what} publishes no licence text; put it into extension/packaging/licence-texts`];
  });
}

function isAccepted(license) {
  try {
    return satisfies(license, [...ACCEPTED, ...ACCEPTED_UNMODIFIED]);
  } catch {
    return false; // not an SPDX expression
  }
}

/** @returns the line that a licence of `ACCEPTED_UNMODIFIED` asks for; none for others (MPL-2.0, 3.2) */
function sourceLines({ name, version, license }) {
  if (!ACCEPTED_UNMODIFIED.includes(license)) return [];
  const file = `${name.split('/').at(-1)}-${version}.tgz`;
  return [`Unmodified. Source: https://registry.npmjs.org/${name}/-/${file}`];
}

/** @throws Error if a component must not be bundled, so that no package is created */
export function thirdPartyText(components) {
  const faults = licenceFaults(components);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const rule = '='.repeat(80);
  const sections = components.map(({ name, version, license, manifest, texts }) => {
    const home = manifest.homepage ?? `https://www.npmjs.com/package/${name}`;
    const source = sourceLines({ name, version, license });
    const head = [rule, `${name} ${version}`, home, `Licence: ${license}`, ...source, rule];
    return [...head, '', ...texts, ''].join('\n');
  });
  const head =
    'Forklens contains the following software of others, under their licences.\n' +
    'The same list for programs: sbom.cdx.json (CycloneDX).\n';
  return [head, ...sections].join('\n').replaceAll('\r\n', '\n');
}
