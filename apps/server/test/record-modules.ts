/** Preloaded by tests (`node --import`): writes the URL of every module that the process loads into MODULES_FILE. */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env.MODULES_FILE
registerHooks({
  load(url, context, next) {
    if (file !== undefined) appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
