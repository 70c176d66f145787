import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ObjectStoreLocation } from '@roomkeeper/region-protocol'

/** The location of an object in a store that the test implements itself. */
export function locationAt(store: Server): ObjectStoreLocation {
  return {
    endpoint: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    region: 'us-east-1',
    bucket: 'bucket',
    key: 'x.zip',
    accessKey: 'access',
    secretKey: 'secret',
    sessionToken: '',
  }
}
