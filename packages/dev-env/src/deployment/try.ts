/** `npm run deploy:try`: what deploy/compose.yaml describes, without containers, until it is told to end. */
import { once } from 'node:events'
import { startDeployment } from './start-deployment.ts'

// Also while it starts: what has been started by then ends too.
const asked = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))
console.log('Starting the database, two API processes, two workers, two regions and the proxy …')
const { address, administrator, regions, stop } = await startDeployment()
console.log(`\nConsole: ${address}/project (its certificate is self-signed)`)
console.log(`Sign in as ${administrator.email}, password ${administrator.password}\n`)
for (const { name, url, userName, password, systemPassword } of regions)
  console.log(`${name}: ${url}, user ${userName}, password ${password}, system password ${systemPassword}`)
console.log('\nCtrl+C ends it and removes its data.')
await asked
await stop()
