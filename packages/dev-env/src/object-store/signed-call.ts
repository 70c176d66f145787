/** Calls S3, STS or IAM with AWS Signature Version 4, for preparations that the product's own client cannot make. */
import { createHash, createHmac } from 'node:crypto'

export interface SignedCall {
  service: 's3' | 'sts' | 'iam'
  method: 'PUT' | 'POST'
  endpoint: string
  /** Begins with a slash. */
  path: string
  region: string
  accessKey: string
  secretKey: string
  body?: string
}

/** @returns the answer's text @throws Error when the answer is not a success */
export async function callSigned(call: SignedCall): Promise<string> {
  const { method, endpoint, path, body = '' } = call
  const type = body === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(endpoint + path, {
    method,
    headers: { ...signatureOf(call, body), ...type },
    body: body === '' ? null : body,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

function signatureOf(call: SignedCall, body: string): Record<string, string> {
  const { service, method, endpoint, path, region, accessKey, secretKey } = call
  const moment = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = `${moment.slice(0, 8)}/${region}/${service}/aws4_request`
  const signed = {
    host: new URL(endpoint).host,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': moment,
  }
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const request = [method, path, '', lines.join(''), names, sha256(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', moment, scope, sha256(request)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secretKey}`)
  const signature = hmac(key, text).toString('hex')
  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
