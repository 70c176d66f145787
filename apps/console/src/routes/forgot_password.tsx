import { createFileRoute } from '@tanstack/react-router'
import { CustomerArea } from '#customers/index.ts'

export const Route = createFileRoute('/forgot_password')({ component: () => <CustomerArea page="forgot_password" /> })
