import { spawnSync } from 'node:child_process';
import { ROOT } from './build.mjs';

const ARGUMENTS = ['audit', '--json', '--fetch-timeout=20000', '--fetch-retries=0'];

/**
 * Advisories for the components. Advisories for development tools are only counted, as these tools are not shipped. A registry that does
 * not answer the audit is not a fault.
 * @param run runs the audit of npm and returns its output
 */
export function auditFaults(components, run = askNpm) {
  let report;
  try {
    report = JSON.parse(run());
  } catch {
    report = {};
  }
  if (report.vulnerabilities === undefined) {
    const reason = report.message ?? 'npm printed no report';
    return { findings: [], note: `skipped, as the registry in use gave no answer (${reason})` };
  }
  const shipped = new Set(components.flatMap(({ folders }) => folders));
  const vulnerable = Object.values(report.vulnerabilities);
  const found = vulnerable.filter(({ nodes }) => nodes.some((folder) => shipped.has(folder)));
  const findings = found.map(
    ({ name, severity, range, via }) =>
      `${name} ${range} has an advisory (${severity}) and is shipped: ${reasons(via)}`,
  );
  const others = vulnerable.length - found.length;
  return {
    findings,
    note: `${findings.length} of the shipped packages have advisories; ${others} tools of development as well`,
  };
}

/** Advisories are objects; a string is the name of another package that has the advisory. */
const reasons = (via) =>
  via.map((reason) => (typeof reason === 'string' ? `by ${reason}` : reason.url)).join(', ');

function askNpm() {
  const shell = process.platform === 'win32'; // npm is a script on Windows
  return spawnSync('npm', ARGUMENTS, { cwd: ROOT, encoding: 'utf8', shell }).stdout;
}
