// The list of components of a package, in CycloneDX format. The same components produce the same bytes: no random serial number, no current
// time.
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import validateExpression from 'spdx-expression-parse';
import { sourceDate } from './build.mjs';

const licences = new Contrib.License.Factories.LicenseFactory(validateExpression);
const references = new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory();
const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(references, licences);

/** @returns JSON with a trailing newline */
export function sbom(subject, components) {
  const bom = new Models.Bom();
  bom.metadata.timestamp = new Date(sourceDate() * 1000);
  bom.metadata.lifecycles.add(Enums.LifecyclePhase.Build);
  bom.metadata.component = modelOf(subject);
  for (const component of components) {
    const model = modelOf(component);
    bom.components.add(model);
    bom.metadata.component.dependencies.add(model.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(
    new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6),
  );
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function modelOf({ name, version, manifest, type = 'library', scope, sha256 }) {
  const model = builder.makeComponent({ ...manifest, name, version }, type);
  const [packageName, group = null] = name.split('/').reverse();
  model.purl = new PackageURL('npm', group, packageName, version, null, null).toString();
  model.bomRef.value = model.purl;
  if (scope !== undefined) model.scope = scope;
  if (sha256 !== undefined) model.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256);
  for (const licence of model.licenses) licence.acknowledgement = 'declared';
  return model;
}
