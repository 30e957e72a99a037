// `npm run check:packages`: checks the licences of the bundled packages and their advisories on npm.
import { buildBundles } from './build.mjs';
import { auditFaults } from './audit.mjs';
import { bundlesOf, componentsOf } from './components.mjs';
import { engineDependencies } from './engine.mjs';
import { licenceFaults } from './licences.mjs';

buildBundles();
const bundled = componentsOf(bundlesOf(['extension', 'media', 'server']));
const [engine] = engineDependencies();
const components = [...bundled, engine];
const faults = licenceFaults(components);
console.log(`licences: ${components.length} packages are shipped, ${faults.length} faults`);
const { findings, note } = auditFaults(components);
console.log(`npm audit: ${note}`);
for (const fault of [...faults, ...findings]) console.error(`error: ${fault}`);
process.exitCode = faults.length + findings.length > 0 ? 1 : 0;
