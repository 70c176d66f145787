import { expect, it } from 'vitest'
import { mailboxOf } from './mailbox-of.ts'

it.each([
  'olga@example.com',
  "o'neil+rooms@example.com",
  'x@x',
  'straße@maßanfertigung.de',
  '用户@例子.广告',
  '"john doe"@example.com',
  '"a, b"@example.com',
  'postmaster@[192.0.2.1]',
])('%s can be written to', (address) => {
  expect(mailboxOf(address)).toBe(address)
  expect(mailboxOf(` Olga Owner <${address}> `)).toBe(address)
})

it.each([
  'a b@example.com',
  'a@example.com,b@example.com',
  'a@example.com; b@example.com',
  'mailto:olga@example.com',
  'foo.@example.com',
  '.foo@example.com',
  'a..b@example.com',
  'a@exam`ple.com',
  'a@example..com',
  'a@-example.com',
  '"a"b"@example.com',
  'a@example.com>',
  '(comment)a@example.com',
  `${'a'.repeat(65)}@example.com`,
  '@example.com',
  'nobody',
  '',
])('no mailbox can have %s', (address) => {
  expect(mailboxOf(address)).toBeNull()
})
