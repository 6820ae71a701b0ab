" A text is known by its name, or by its first line: the header, or the beginning of a text without one.
autocmd BufNewFile,BufRead *.[dD][eE][mM].txt,*.[dD][mM]2.txt set filetype=moviola
autocmd BufNewFile,BufRead *.txt if getline(1) =~# '^// source: \|^track "\|^block {' | set filetype=moviola | endif
