import '@fontsource-variable/inter/index.css'
import '#app/global.css'
import '#app/print.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startLightOnPaper } from '#app/light-on-paper.ts'
import { createConsoleRouter } from '#app/router.ts'
import { maintenanceAtStart } from '#customers/index.ts'
import { startLanguage } from '#locales/language.ts'

const router = createConsoleRouter()

// The content security policy forbids eval, which zod would try for speed when the first schema is created. This sets
// zod's global configuration directly, because importing zod here would load it with the sign-in page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

startLightOnPaper()
void maintenanceAtStart()
await startLanguage()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
