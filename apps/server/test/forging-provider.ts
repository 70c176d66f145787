/** A compromised or fake identity provider, which answers with whatever tokens a test makes. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ForgingProvider {
  issuer: string
  /** Sets the next tokens. `key` signs them; by default it is the provider's own key. */
  answerWith(
    claims: Record<string, unknown>,
    how?: { key?: KeyObject; algorithm?: 'RS256' | 'none'; kid?: string },
  ): void
  stop(): Promise<void>
}

export async function startForgingProvider(): Promise<ForgingProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let idToken = ''
  const http = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    switch (request.url) {
      case '/.well-known/openid-configuration':
        response.end(JSON.stringify(metadata(issuer)))
        return
      case '/jwks': {
        const key = { ...publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }
        response.end(JSON.stringify({ keys: [key] }))
        return
      }
      default:
        response.end(JSON.stringify({ access_token: 'access', token_type: 'Bearer', id_token: idToken }))
    }
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    issuer,
    answerWith(claims, { key = privateKey, algorithm = 'RS256', kid = 'own' } = {}) {
      const head = encode({ alg: algorithm, kid })
      const signed = `${head}.${encode(claims)}`
      const signature = algorithm === 'none' ? '' : createSign('RSA-SHA256').update(signed).sign(key, 'base64url')
      idToken = `${signed}.${signature}`
    },
    async stop() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
