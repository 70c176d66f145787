import { expect, it } from 'vitest'
import { brokenReferences } from './broken-references.mjs'

const repository = {
  'package.json': '{ "scripts": { "check": "…" } }',
  'apps/server/src/rooms/room.ts': '',
  'apps/server/test/life/late-calls.test.ts': '',
  'docs/other.md': '# The other page\n\n## What it’s for\n',
}

it.each([
  ['a link to a page', '[other](other.md)'],
  ['a link to a folder', '[rooms](../apps/server/src/rooms/)'],
  ['a link to a heading', '[other](other.md#the-other-page), [why](other.md#what-its-for)'],
  ['a link to a heading of the page itself', '# Here\n[here](#here)'],
  ['a link to elsewhere', '[elsewhere](https://example.com/nothing.md)'],
  ['a file by its whole path', '`apps/server/src/rooms/room.ts`'],
  ['a file by the end of its path', '`rooms/room.ts`, room.ts'],
  ['files by a pattern', '`rooms/*.ts`'],
  ['a file by an abbreviation that the page explains', '`test/` is `apps/server/test/`: test/life/late-calls.test.ts'],
  ['an example', 'a file such as `apps/server/src/rooms/example.ts`'],
  ['what only looks like a link, in code', '`[a](nowhere.md)`'],
  ['a file that a block of the page is', '`receiver.mjs`:\n\n```js receiver.mjs\nlisten()\n```\n'],
  ['an npm script', '`npm run check -- --all`'],
])('%s is there', (_, text) => expect(brokenIn(text)).toEqual([]))

it.each([
  ['a page that is gone', '[gone](gone.md)', 'the link gone.md leads nowhere'],
  ['a heading that is gone', '[gone](other.md#gone)', 'the link other.md#gone names a heading that is not there'],
  ['a file that is gone', '`apps/server/src/rooms/gone.ts`', 'there is no apps/server/src/rooms/gone.ts'],
  ['a folder that is gone', '`apps/server/src/gone/`', 'there is no apps/server/src/gone'],
  ['a test that is gone, outside of code', 'late-moves.test.ts shows it', 'there is no late-moves.test.ts'],
  ['a file of which only the end of the name fits', '`om.ts`', 'there is no om.ts'],
  ['an npm script that is gone', '`npm run gone`', 'there is no npm run gone'],
])('%s is named', (_, text, broken) => expect(brokenIn(text)).toEqual([broken]))

function brokenIn(text) {
  const files = { ...repository, 'docs/page.md': text }
  return brokenReferences('docs/page.md', Object.keys(files), (file) => files[file])
}
