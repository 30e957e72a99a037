#!/usr/bin/env node
import { join } from 'node:path';
import { runCached } from './code-cache';

runCached(join(__dirname, 'service.js'));
