#!/usr/bin/env node
import { main } from './main.ts';
import { nodeTerminal } from './node-terminal.ts';

process.exitCode = await main(process.argv.slice(2), nodeTerminal());
