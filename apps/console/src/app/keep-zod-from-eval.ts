/**
 * The content security policy forbids eval, which zod would try for speed when the first schema is created. This sets
 * what zod's own `config` sets, whose import would add 3 kB to the sign-in and so break its budget. Private to zod: the
 * test names the version.
 */
export function keepZodFromEval(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
