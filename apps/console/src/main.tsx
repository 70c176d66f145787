import '@fontsource-variable/inter/index.css'
import '#app/global.css'
import '#app/print.css'
import '#ui/common.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepZodFromEval } from '#app/keep-zod-from-eval.ts'
import { startLightOnPaper } from '#app/light-on-paper.ts'
import { createConsoleRouter } from '#app/router.ts'
import { maintenanceAtStart } from '#customers/index.ts'
import { startLanguage } from '#locales/language.ts'

const router = createConsoleRouter()

keepZodFromEval()
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
