import { readFileSync } from 'node:fs';
import path from 'node:path';
import { manifest, ROOT } from './build.mjs';

const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '');
const PICTURE = /\.(png|gif|jpe?g)$/;

/**
 * A page of this repository for publication elsewhere: relative links point to the repository, and pictures to their files, both at the tag
 * of this version, so that a published page does not change.
 */
export function publishedPage(file) {
  const markdown = readFileSync(path.join(ROOT, file), 'utf8');
  return markdown.replace(/(\]\()([^)\s]+)(\))/g, (whole, before, link, after) => {
    if (/^(?:[a-z]+:|#)/i.test(link)) return whole;
    const [target, fragment] = link.split('#');
    const place = path.posix.join(path.posix.dirname(file), target);
    if (place.startsWith('..')) throw new Error(`${file} links to ${link}, outside the repository`);
    const view = PICTURE.test(target) ? 'raw' : 'blob';
    const url = `${REPOSITORY}/${view}/v${manifest.version}/${place}`;
    return `${before}${url}${fragment === undefined ? '' : `#${fragment}`}${after}`;
  });
}
