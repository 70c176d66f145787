/** Secrets in memory (never printed) and at rest (AES-256-GCM under a key derived from SECRET_KEY). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'

/** A value that prints as `[secret]` wherever it ends up by mistake. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '[secret]'
  }
  toJSON(): string {
    return '[secret]'
  }
  [inspect.custom](): string {
    return '[secret]'
  }
}

export interface SecretBox {
  /** `v1.<iv>.<tag>.<data>`, each base64url. */
  seal(secret: Secret): string
  /** @throws Error when the text was not sealed with this key */
  open(sealed: string): Secret
}

/**
 * @param secretKey any text of 16 characters or more
 * @param formerKey opens values that were sealed before the key was changed; never seals
 */
export function createSecretBox(secretKey: Secret, formerKey?: Secret): SecretBox {
  const key = derivedKey(secretKey, 'secrets v1')
  const former = formerKey === undefined ? null : derivedKey(formerKey, 'secrets v1')
  return {
    seal(secret) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const data = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()])
      return ['v1', ...[iv, cipher.getAuthTag(), data].map((each) => each.toString('base64url'))].join('.')
    },
    open(sealed) {
      const opened = openWith(key, sealed) ?? (former === null ? null : openWith(former, sealed))
      if (opened === null) throw new Error('A stored secret cannot be opened: was SECRET_KEY changed?')
      return opened
    },
  }
}

/** @param purpose keys of different purposes tell nothing of each other */
export function derivedKey(secretKey: Secret, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey.reveal(), '', `roomkeeper ${purpose}`, 32))
}

/** null: it was sealed with another key. */
function openWith(key: Buffer, sealed: string): Secret | null {
  const [version, ...parts] = sealed.split('.')
  const [iv, tag, data] = parts.map((each) => Buffer.from(each, 'base64url'))
  if (version !== 'v1' || iv === undefined || tag === undefined || data === undefined) {
    throw new Error('A stored secret is damaged.')
  }
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
  decipher.setAuthTag(tag)
  try {
    return new Secret(Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8'))
  } catch {
    return null
  }
}
