import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { screenAt, screensOf } from './screens.ts'

test.each(screensOf('CLOUD_ADMINISTRATOR'))('the route of $to asks for the access of $id', ({ id, to, access }) => {
  const name = to.replace('/project/', '').replaceAll('/', '.')
  const [file] = [`${name}.tsx`, `${name}.index.tsx`]
    .map((each) => new URL(`../routes/project/_signed-in/${each}`, import.meta.url))
    .filter((each) => existsSync(each))
  if (file === undefined) throw new Error(`${to} has no route.`)
  expect(/requires\('(\w+)'\)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 'all').toBe(access)
  expect(screenAt(to)).toBe(to.includes('_project_room') ? 'rooms' : id)
})

test('the pages below a screen belong to it', () => {
  expect(screenAt('/project/edit_project_room/room')).toBe('rooms')
  expect(screenAt('/project/bulk/1')).toBe('bulks')
  expect(screenAt('/project/webhooks')).toBe('webhooks')
})
