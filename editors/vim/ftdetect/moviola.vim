autocmd BufNewFile,BufRead *.dem.txt,*.dm2.txt set filetype=moviola
autocmd BufNewFile,BufRead *.txt if getline(1) =~# '^// source: .*\.\(dem\|dm2\)$' | set filetype=moviola | endif
