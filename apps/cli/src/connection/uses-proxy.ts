/**
 * Whether Node sends a call without TLS through a proxy, which then reads it, as environment and options say. Of
 * NO_PROXY, only what means the same to all of Node is believed: of addresses such as [::1], `fetch` and `node:http` want
 * different spellings.
 */
export function usesProxy({ hostname, host }: URL, env: NodeJS.ProcessEnv): boolean {
  const options = [...process.execArgv, ...(env.NODE_OPTIONS ?? '').split(/\s+/)]
  const isOn = isSet(env.NODE_USE_ENV_PROXY) || options.includes('--use-env-proxy')
  if (!isOn || !(isSet(env.http_proxy) || isSet(env.HTTP_PROXY))) return false
  const excepted = (env.no_proxy ?? env.NO_PROXY ?? '').toLowerCase().split(/[\s,]+/)
  const spellings = hostname.startsWith('[') ? ['*'] : ['*', hostname, host]
  return !spellings.some((each) => excepted.includes(each))
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0'
}
