const FORM = /^(\d+)\.(\d+)\.(\d+)(?:-rc\.([1-9]\d*))?$/;

/**
 * The version of the extension. VS Code's marketplace accepts no suffixes and orders pre-releases by number only, so a release candidate
 * gets an odd minor version below its release: 1.0.0-rc.2 is 0.99.2, 1.4.0-rc.1 is 1.3.1.
 * @throws Error for a version without such a number
 */
export function extensionVersion(version) {
  const [, major, minor, patch, candidate] = FORM.exec(version)?.map(Number) ?? [];
  const preRelease = FORM.exec(version)?.[4] !== undefined;
  const accepted = 'X.Y.Z and X.Y.0-rc.N with an even Y, but not 0.0.0-rc.N';
  if (
    major === undefined ||
    minor % 2 !== 0 ||
    (preRelease && (patch !== 0 || major + minor === 0))
  ) {
    throw new Error(`version in package.json is ${version}; accepted: ${accepted}`);
  }
  if (!preRelease) return { version, preRelease };
  const below = minor === 0 ? `${major - 1}.99` : `${major}.${minor - 1}`;
  return { version: `${below}.${candidate}`, preRelease };
}
