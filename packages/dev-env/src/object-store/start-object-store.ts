/**
 * A real S3 store for tests: the one at S3_TEST_ENDPOINT; otherwise an object gateway that the whole test run shares;
 * none if that is not installed either.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type SharedResource, sharedAddress } from '../shared-resource.ts'
import { radosGatewayIsInstalled } from './rados-gateway.ts'
import { callSigned } from './signed-call.ts'

export interface ObjectStoreKeys {
  accessKey: string
  secretKey: string
  sessionToken: string | null
}

export interface ObjectStore {
  endpoint: string
  region: string
  /** The keys of the owner of its buckets. */
  keys: ObjectStoreKeys
  /** Makes a bucket with a new name. */
  newBucket(): Promise<string>
  /** Makes keys with a session token, which work for an hour. */
  newSessionKeys(): Promise<ObjectStoreKeys>
  /** Call it at the end. A store that others share keeps running. */
  stop(): Promise<void>
}

/** A store's address and its owner's keys. */
export interface ObjectStoreAddress {
  endpoint: string
  accessKey: string
  secretKey: string
}

/** The environment variable with the address at which test files ask for the object store: see ../vitest-setup.ts. */
export const sharedStoreVariable = 'ROOMKEEPER_SHARED_OBJECT_STORE'

/** Null: there is none on this machine, and tests that need one are skipped. */
export async function startObjectStore(): Promise<ObjectStore | null> {
  const { S3_TEST_ENDPOINT: endpoint, S3_TEST_ACCESS_KEY: accessKey, S3_TEST_SECRET_KEY: secretKey } = process.env
  if (endpoint !== undefined && endpoint !== '') {
    if (!accessKey || !secretKey)
      throw new Error('With S3_TEST_ENDPOINT, S3_TEST_ACCESS_KEY and S3_TEST_SECRET_KEY must be set.')
    return openObjectStore({ endpoint: endpoint.replace(/\/+$/, ''), accessKey, secretKey })
  }
  if (!radosGatewayIsInstalled()) return null
  const shared = await sharedAddress<ObjectStoreAddress>(sharedStoreVariable)
  if (shared !== null) return openObjectStore(shared)
  const { address, release } = await spawnObjectStore()
  return openObjectStore(address, release)
}

/** Starts an object gateway in a process that ends with this one, even if this one is killed. */
export async function spawnObjectStore(): Promise<SharedResource<ObjectStoreAddress>> {
  const program = join(import.meta.dirname, 'hold-object-store.ts')
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = await new Promise<ObjectStoreAddress>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString()) as ObjectStoreAddress))
    child.once('exit', () => reject(new Error('The object gateway for the tests did not start.')))
  })
  return {
    address,
    async release() {
      child.stdin.end()
      await ended
    },
  }
}

function openObjectStore({ endpoint, ...login }: ObjectStoreAddress, release = async () => {}): ObjectStore {
  const region = process.env.S3_TEST_REGION || 'us-east-1'
  const keys = { ...login, sessionToken: null }
  return {
    endpoint,
    region,
    keys,
    stop: release,
    async newBucket() {
      const name = `rk-test-${randomBytes(8).toString('hex')}`
      await callSigned({ service: 's3', method: 'PUT', endpoint, path: `/${name}`, region, ...login })
      return name
    },
    async newSessionKeys() {
      const body = 'Action=GetSessionToken&DurationSeconds=3600&Version=2011-06-15'
      const text = await callSigned({ service: 'sts', method: 'POST', endpoint, path: '/', region, ...login, body })
      const value = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1] ?? ''
      return {
        accessKey: value('AccessKeyId'),
        secretKey: value('SecretAccessKey'),
        sessionToken: value('SessionToken'),
      }
    },
  }
}
