import type { ObjectStoreLocation } from '@roomkeeper/region-protocol'
import { expect, test } from 'vitest'
import { objectStoreFailure } from './object-store-failure.ts'

const location: ObjectStoreLocation = {
  endpoint: 'https://store.example',
  region: 'x',
  bucket: 'backups',
  key: 'k',
  accessKey: 'a',
  secretKey: 's',
  sessionToken: '',
}

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'object-store-refused'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'object-store-refused'],
  ['ECONNREFUSED', 'object-store-unreachable'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'object-store-unreachable'],
])('a connection that fails with %s is %s', (code, refusal) => {
  // As the store's client passes errors of Node on.
  const error = Object.assign(new Error('x'), { code, $metadata: { attempts: 1 } })
  const failure = objectStoreFailure(error, location, new AbortController().signal)
  expect(failure).toMatchObject({ code: refusal, message: expect.stringContaining(code) })
})
